// Words rows as a table for a terminal: columns as wide as their longest cell, the headings in capitals.

/** Ends with a newline. */
export function renderTable(columns: readonly string[], cells: readonly (readonly string[])[]): string {
  const rows = [columns.map((column) => column.toUpperCase()), ...cells];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
