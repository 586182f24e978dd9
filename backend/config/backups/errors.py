"""What can go wrong with a backup.

UserFault
└── BackupError   it could not be written or restored; the message says what to do
"""

from backend.apps.errors import UserFault


class BackupError(UserFault):
    code = "backup"
