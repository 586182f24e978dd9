import pytest
import redis

from backend.bootstrap.servers.redis import private_redis


def test_a_server_is_started_asks_for_its_password_and_is_gone_afterwards():
    with private_redis() as url:
        with redis.Redis.from_url(url) as client:
            assert client.set("key", "value")
            assert client.get("key") == b"value"
            assert client.config_get("save") == {"save": ""}
        with (
            redis.Redis.from_url(url.replace("redis://:", "redis://:x")) as stranger,
            pytest.raises(redis.AuthenticationError),
        ):
            stranger.ping()
    with redis.Redis.from_url(url) as client, pytest.raises(redis.ConnectionError):
        client.ping()


def test_two_at_once_do_not_meet():
    with (
        private_redis() as one,
        private_redis() as other,
        redis.Redis.from_url(one) as a,
        redis.Redis.from_url(other) as b,
    ):
        a.set("key", "value")
        assert b.get("key") is None
