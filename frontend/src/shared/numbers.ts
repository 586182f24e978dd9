const whole = new Intl.NumberFormat();

export function sayNumber(value: number): string {
  return whole.format(value);
}

/** "1 template", "2,300 templates". */
export function sayCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${sayNumber(count)} ${count === 1 ? singular : plural}`;
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

export function sayBytes(bytes: number): string {
  const power = bytes > 0 ? Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1) : 0;
  const value = bytes / 1024 ** power;
  return `${value >= 10 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}
