import type { FieldErrors } from '../../api/errors';

interface PlacedErrors {
  /** One sentence per control, by the control's path in the form. */
  placed: Record<string, string>;
  /** What no control can show. */
  rest: string[];
}

/** The non-blank lines of a text that holds one entry per line. */
export function readLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The steps to a property. Rows of `{name, value}` stand for an object of the API: their names find their values. */
function stepsInto(container: Record<string, unknown>, segment: string): string[] | null {
  if (segment in container) return [segment];
  if (!Array.isArray(container)) return null;
  const row = container.findIndex((entry) => isContainer(entry) && entry.name === segment);
  return row < 0 ? null : [String(row), 'value'];
}

function follow(container: unknown, steps: string[]): unknown {
  return steps.reduce((inner, step) => (isContainer(inner) ? inner[step] : undefined), container);
}

function quoteEntry(control: unknown, segment: string | undefined, sentence: string): string {
  if (segment === undefined || !/^\d+$/.test(segment)) return sentence;
  const entries = typeof control === 'string' ? readLines(control) : Array.isArray(control) ? control : [];
  const entry = entries[Number(segment)];
  return typeof entry === 'string' ? `“${entry}”: ${sentence}` : sentence;
}

/** The nearest control on the way to `path`, or null when the form has no such field at all. */
function findControl(
  path: string,
  values: object,
): { at: string; control: unknown; next: string | undefined } | null {
  const segments = path.split('.');
  const walked: string[] = [];
  let here: unknown = values;
  let depth = 0;
  for (const segment of segments) {
    const steps = isContainer(here) ? stepsInto(here, segment) : null;
    if (steps === null) break;
    const inner = follow(here, steps);
    // A list of plain entries is one control (a tags box), not one control per entry.
    if (Array.isArray(here) && steps.length === 1 && !isContainer(inner)) break;
    here = inner;
    depth += 1;
    walked.push(...steps);
  }
  return walked.length ? { at: walked.join('.'), control: here, next: segments[depth] } : null;
}

/**
 * Sort the server's field errors onto the controls of a form.
 *
 * `inspectors.0.selector` lands on the control of that path. An error in one entry of a control that holds many
 * (`seeds.2` on a text area) lands on the control and quotes the entry. What fits nowhere comes back as `rest`.
 */
export function placeFieldErrors(fields: FieldErrors, values: object): PlacedErrors {
  const placed: Record<string, string> = {};
  const rest: string[] = [];
  for (const [path, sentences] of Object.entries(fields)) {
    const found = findControl(path, values);
    const sentence = sentences.join(' ');
    if (!found) {
      rest.push(sentence);
      continue;
    }
    const quoted = quoteEntry(found.control, found.next, sentence);
    placed[found.at] = placed[found.at] ? `${placed[found.at]} ${quoted}` : quoted;
  }
  return { placed, rest };
}
