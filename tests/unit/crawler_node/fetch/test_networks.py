"""Public addresses, forbidden ones, and the operator's list."""

from ipaddress import ip_address

import pytest

from crawler_node.errors import NetworkListError
from crawler_node.fetch.networks import NetworkPolicy, is_public, parse_allow_networks
from tests.unit.crawler_node.fetch.address_forms import FORBIDDEN_V4, FORBIDDEN_V6


@pytest.mark.parametrize("address", FORBIDDEN_V4 + FORBIDDEN_V6 + [f"::ffff:{address}" for address in FORBIDDEN_V4])
def test_forbidden_addresses_are_not_public(address: str) -> None:
    assert not is_public(ip_address(address))
    assert not NetworkPolicy().permits(address, 80)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "172.32.0.1"])
def test_public_addresses_are_permitted(address: str) -> None:
    assert NetworkPolicy().permits(address, 443)


def test_the_operators_list_opens_networks_and_single_ports() -> None:
    policy = parse_allow_networks("10.0.0.0/8, 127.0.0.1:8000\n[::1]:9000 fd00::/8 192.168.1.7")
    assert policy.permits("10.1.2.3", 80)
    assert policy.permits("127.0.0.1", 8000)
    assert policy.permits("::ffff:127.0.0.1", 8000)
    assert policy.permits("::1", 9000)
    assert policy.permits("fd12::1", 1)
    assert policy.permits("192.168.1.7", 22)
    assert not policy.permits("127.0.0.1", 8001)
    assert not policy.permits("127.0.0.2", 8000)
    assert not policy.permits("::1", 80)
    assert not policy.permits("192.168.1.8", 22)


def test_an_empty_list_opens_nothing() -> None:
    assert parse_allow_networks("") == NetworkPolicy()


@pytest.mark.parametrize(
    "entry", ["localhost", "10.0.0.0/99", "127.0.0.1:x", "127.0.0.1:0", "127.0.0.1:", "[::1]:70000"]
)
def test_what_is_no_network_is_named(entry: str) -> None:
    with pytest.raises(NetworkListError, match="neither an address nor a network"):
        parse_allow_networks(entry)
