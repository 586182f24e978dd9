"""Hundreds of ways to write an address that a crawler must not reach."""

from collections.abc import Iterator
from ipaddress import IPv4Address

FORBIDDEN_V4 = [
    "127.0.0.1",
    "127.1.2.3",
    "127.255.255.254",
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.255.255",
    "169.254.169.254",
    "169.254.0.1",
    "100.64.0.1",
    "100.127.255.254",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
]
FORBIDDEN_V6 = [
    "::",
    "::1",
    "fe80::1",
    "fe80::a9fe:a9fe",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "fd12:3456:789a::1",
    "ff02::1",
    "ff05::2",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2001::1",
    "2001:0:53aa:64c:0:fbff:80ff:fffe",
    "2001:db8::1",
    "2001:10::1",
    "2001:20::1",
    "100::1",
    "3fff::1",
    "5f00::1",
    "4000::1",
    "::2:0:0:1",
]


def spellings_of_v4(dotted: str) -> Iterator[str]:
    """An IPv4 address as a host of a URL: decimal, octal, hex, short, mixed, and inside IPv6."""
    a, b, c, d = (int(part) for part in dotted.split("."))
    number = int(IPv4Address(dotted))
    yield dotted
    yield f"{dotted}."
    yield str(number)
    yield hex(number)
    yield f"0{number:o}"
    yield f"{a}.{number & 0xFFFFFF}"
    yield f"0x{a:x}.0x{b:x}.0x{c:x}.0x{d:x}"
    yield f"0{a:o}.0{b:o}.0{c:o}.0{d:o}"
    yield f"{a}.0x{b:X}.0{c:o}.{d}"
    yield dotted.replace(".", "。")
    yield dotted.translate({ord("0") + i: chr(0xFF10 + i) for i in range(10)})
    yield f"[::ffff:{dotted}]"
    yield f"[::{dotted}]"
    yield f"[64:ff9b::{dotted}]"


def forbidden_urls() -> list[str]:
    """More than 300 URLs, each of which means an address that is not public."""
    hosts = [spelling for address in FORBIDDEN_V4 for spelling in spellings_of_v4(address)]
    hosts += [f"[{address}]" for address in FORBIDDEN_V6]
    hosts += ["localhost", "LOCALHOST.", "name@127.0.0.1", "example.com@127.0.0.1", "127.0.0.1%2f", "%31%32%37.0.0.1"]
    return [f"http://{host}:PORT/secret" for host in hosts]
