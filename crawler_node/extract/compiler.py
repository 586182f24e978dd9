"""Templates made ready to run; what is wrong with one is said with the path of the part at fault."""

from crawler_node.extract.cleanup import Cleanup, compile_cleanup
from crawler_node.extract.errors import CleanupError, SelectorError, TemplateError, UserError
from crawler_node.extract.selectors import Selector, compile_selector
from crawler_node.extract.spec import CleanupSpec, FieldType, InspectorSpec, TemplateSpec
from crawler_node.extract.template import CompiledInspector, CompiledTemplate


def compile_template(spec: TemplateSpec) -> CompiledTemplate:
    """The template, ready to run; raises TemplateError naming the part at fault (`inspectors.0.selector`)."""
    if not spec.inspectors:
        hint = "Add an inspector with a name and a selector."
        raise TemplateError("The template has no inspectors.", field="inspectors", hint=hint)
    _check_names(spec)
    scope = _compile_selector(spec.item_scope, "item_scope") if spec.item_scope.strip() else None
    inspectors = [_compile_inspector(item, f"inspectors.{index}") for index, item in enumerate(spec.inspectors)]
    return CompiledTemplate(spec, scope, inspectors, _advice(spec))


def _check_names(spec: TemplateSpec) -> None:
    seen: set[str] = set()
    for index, inspector in enumerate(spec.inspectors):
        path = f"inspectors.{index}.name"
        if not inspector.name.strip():
            raise TemplateError("An inspector has no name.", field=path, hint="Give it one.")
        if inspector.name in seen:
            message = f"Two inspectors are called “{inspector.name}”."
            raise TemplateError(message, field=path, hint="Rename one of them.")
        seen.add(inspector.name)


def _compile_inspector(spec: InspectorSpec, path: str) -> CompiledInspector:
    if spec.type is FieldType.CONSTANT:
        return CompiledInspector(spec, (), ())
    selectors = [_compile_selector(spec.selector, f"{path}.selector")]
    selectors += [_compile_selector(text, f"{path}.fallbacks.{index}") for index, text in enumerate(spec.fallbacks)]
    cleanups = [_compile_cleanup(item, f"{path}.cleanup.{index}") for index, item in enumerate(spec.cleanup)]
    return CompiledInspector(spec, selectors, cleanups)


def _compile_selector(source: str, path: str) -> Selector:
    try:
        return compile_selector(source)
    except SelectorError as error:
        raise _located(error, path) from error


def _compile_cleanup(spec: CleanupSpec, path: str) -> Cleanup:
    try:
        return compile_cleanup(spec.pattern, spec.replacement)
    except CleanupError as error:
        raise _located(error, path) from error


def _located(error: UserError, path: str) -> TemplateError:
    return TemplateError(error.message, field=path, position=error.position, hint=error.hint)


def _advice(spec: TemplateSpec) -> list[str]:
    advice = []
    for inspector in spec.inspectors:
        selector = inspector.selector.lstrip()
        if spec.item_scope.strip() and selector.startswith("/"):
            advice.append(
                f"“{inspector.name}” starts at the top of the page ({selector[:20]}), so all items get the same value; "
                f"write .{selector[:20]} to stay inside the item."
            )
        if "/tbody" in selector:
            advice.append(f"“{inspector.name}” passes through tbody, which browsers add and pages often do not have.")
    if spec.item_scope.strip() and not any(inspector.key for inspector in spec.inspectors):
        advice.append("No inspector is a key, so items on one page have no history from run to run.")
    return advice
