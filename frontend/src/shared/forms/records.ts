/** One entry of an object of the API (`headers`, `word_weights`), as a row of a form. */
export interface RecordRow<Value> {
  name: string;
  value: Value;
}

export function rowsFrom<Value>(record: Record<string, Value>): RecordRow<Value>[] {
  return Object.entries(record).map(([name, value]) => ({ name, value }));
}

/** Rows without a name are unfinished and left out. */
export function recordFrom<Value>(rows: RecordRow<Value>[]): Record<string, Value> {
  return Object.fromEntries(
    rows.filter(({ name }) => name.trim()).map(({ name, value }) => [name.trim(), value]),
  );
}
