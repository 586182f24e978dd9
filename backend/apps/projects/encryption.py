"""Encryption of secrets at rest. Several keys may be given: the first encrypts, all decrypt, so keys can be changed."""

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from backend.apps.errors import OurFault


class WrongKeyError(OurFault):
    code = "wrong_encryption_key"


def _cipher() -> MultiFernet:
    return MultiFernet([Fernet(key.strip()) for key in settings.ENCRYPTION_KEYS])


def encrypt(plain: str) -> bytes:
    return _cipher().encrypt(plain.encode())


def decrypt(ciphertext: bytes) -> str:
    try:
        return _cipher().decrypt(ciphertext).decode()
    except InvalidToken as error:
        raise WrongKeyError(
            "A secret cannot be read with the present key. Put the old key back (GLEANER_ENCRYPTION_KEY or "
            "var/encryption.key), or enter the secret again."
        ) from error
