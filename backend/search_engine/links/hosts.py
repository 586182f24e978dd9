"""The graph of hosts behind a graph of pages."""

from backend.search_engine.links.graph import LinkGraph, Numbers, build_graph


def host_graph(graph: LinkGraph, hosts: Numbers, count: int) -> LinkGraph:
    """Which host links to which: `hosts` has the host's number of each page, `count` is how many hosts there are.

    However many pages of a host link to another, it counts once: a site gains nothing by having many pages. Links
    within a host are its own affair and left out.
    """
    if len(hosts) != graph.pages:
        raise ValueError("Every page needs the number of its host.")
    sources, targets = hosts[graph.sources], hosts[graph.targets()]
    differ = sources != targets
    return build_graph(sources[differ], targets[differ], count)
