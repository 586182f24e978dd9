"""Backups: everything Gleaner knows in one file, and back."""

from backend.config.backups.errors import BackupError
from backend.config.backups.restoring import Restored, restore_backup
from backend.config.backups.writing import write_backup

__all__ = ["BackupError", "Restored", "restore_backup", "write_backup"]
