"""A page like many, to try selectors on before they meet real ones."""

_ITEM = (
    '<div class="item" id="i{number}"><h2 class="title"><a href="/p/{number}">Thing {number}</a></h2>'
    '<p class="text">It has <b>one</b> and <i>another</i> part.</p><ul><li>a</li><li>b</li><li>c</li></ul>'
    '<table><tr><th>Price</th><td><span class="price">{number}.00</span></td></tr></table></div>'
)


def sample_page(items: int = 100) -> bytes:
    """About fifteen elements an item, some levels deep, as a list of things on sale has them."""
    body = "".join(_ITEM.format(number=number) for number in range(items))
    return f"<!doctype html><title>Things</title><main><h1>Things</h1>{body}</main>".encode()


def is_surely_cheap(selector: str) -> bool:
    """Whether an XPath can only cost time in proportion to the page: few searches, none within conditions."""
    depth = deepest = 0
    for sign in selector:
        depth += (sign == "[") - (sign == "]")
        deepest = max(deepest, depth)
    return deepest <= 1 and "::" not in selector and selector.count("//") <= 2 and "[.//" not in selector
