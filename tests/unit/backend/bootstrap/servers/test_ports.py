import errno
import socket

from backend.bootstrap.servers.ports import FIRST_PRIVATE, LAST_PRIVATE, next_free, private_free, why_not_usable


def test_a_port_is_taken_while_somebody_listens_and_free_afterwards():
    port = private_free()
    with socket.create_server(("127.0.0.1", port)):
        assert why_not_usable(port) == errno.EADDRINUSE
        assert next_free(port - 1) > port
    assert why_not_usable(port) is None


def test_private_ports_stay_below_those_of_outgoing_connections():
    ports = {private_free() for _ in range(20)}
    assert all(FIRST_PRIVATE <= port <= LAST_PRIVATE < 32768 for port in ports)
    assert len(ports) > 1
