// Quotes a value for a POSIX shell.

export function shellQuoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}
