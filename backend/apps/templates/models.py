"""A template: an item scope, inspectors (its fields) and an action chain."""

from django.db import models

from backend.apps.model_parts import ProjectNoun, at_least, not_empty, one_of, unique_name


class ActionsOn(models.TextChoices):
    EVERY = "every", "Every page"
    SEEDS = "seeds", "Only the addresses to start from"
    MATCHING = "matching", "Addresses that match the pattern"


class Template(ProjectNoun):
    item_scope = models.TextField(
        blank=True, default="", help_text="XPath of one item; many items on a page become many documents."
    )
    actions_on = models.CharField(
        max_length=8, choices=ActionsOn.choices, default=ActionsOn.EVERY, help_text="Where the action chain runs."
    )
    actions_pattern = models.CharField(
        max_length=500, blank=True, default="", help_text="Part of an address, or with * for anything."
    )

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            unique_name("template"),
            not_empty("template"),
            one_of("template", "actions_on", ActionsOn),
        ]


class InspectorType(models.TextChoices):
    TEXT = "text"
    NUMBER = "number"
    PRICE = "price"
    DATE = "date"
    LINK = "link"
    IMAGE = "image"
    HTML = "html"
    CONSTANT = "constant"


class Inspector(models.Model):
    """One field of a template. Its name holds no dot, so that `template.inspector` names it without doubt."""

    template = models.ForeignKey(Template, on_delete=models.CASCADE, related_name="inspectors")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=100)
    selector = models.TextField(blank=True, default="")
    fallbacks = models.JSONField(blank=True, default=list)
    type = models.CharField(max_length=10, choices=InspectorType.choices, default=InspectorType.TEXT)
    locale = models.CharField(max_length=20, blank=True, default="")
    value = models.TextField(blank=True, default="", help_text="What a constant yields.")
    attribute = models.CharField(max_length=100, blank=True, default="")
    variable = models.CharField(max_length=50, blank=True, default="")
    cleanup = models.JSONField(blank=True, default=list)
    required = models.BooleanField(default=False)
    multiple = models.BooleanField(default=False)
    former_names = models.JSONField(
        blank=True, default=list, help_text="What it was called when older documents were read, the newest first."
    )
    key = models.BooleanField(default=False, help_text="This field identifies the document across runs.")

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            not_empty("inspector"),
            one_of("inspector", "type", InspectorType),
            models.UniqueConstraint(fields=["template", "name"], name="inspector_name_unique_in_template"),
            models.UniqueConstraint(
                fields=["template", "variable"],
                condition=~models.Q(variable=""),
                name="inspector_variable_unique_in_template",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ActionType(models.TextChoices):
    CLICK = "click"
    CLICK_IF_PRESENT = "click_if_present"
    TYPE = "type"
    PRESS_KEY = "press_key"
    SELECT_OPTION = "select_option"
    HOVER = "hover"
    WAIT = "wait"
    WAIT_FOR = "wait_for"
    WAIT_FOR_TEXT = "wait_for_text"
    WAIT_UNTIL_GONE = "wait_until_gone"
    SCROLL = "scroll"
    SCROLL_TO_END = "scroll_to_end"
    LOAD_MORE = "load_more"
    DISMISS_OVERLAYS = "dismiss_overlays"


class Action(models.Model):
    """One step of the action chain; what `parameters` may hold is told by `actions.PARAMETERS`."""

    template = models.ForeignKey(Template, on_delete=models.CASCADE, related_name="actions")
    position = models.PositiveIntegerField()
    type = models.CharField(max_length=20, choices=ActionType.choices)
    parameters = models.JSONField(blank=True, default=dict)
    optional = models.BooleanField(default=False)
    timeout_seconds = models.FloatField(default=10.0)

    class Meta:
        ordering = ["position", "id"]
        constraints = [one_of("action", "type", ActionType), at_least("action", "timeout_seconds", 0)]

    def __str__(self) -> str:
        return self.type
