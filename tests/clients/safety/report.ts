/** A table in Markdown. */
export function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Rows that are filled cell by cell, in whatever order. */
export interface Grid {
  add(start: readonly string[], column: string, cell: string): void;
  getRows(columns: readonly string[]): string[][];
}

export function createGrid(): Grid {
  const rows = new Map<string, Record<string, string>>();
  return {
    add(start, column, cell) {
      const key = start.join(" | ");
      rows.set(key, { ...rows.get(key), [column]: cell });
    },
    getRows: (columns) =>
      [...rows].map(([key, cells]) => [key, ...columns.map((column) => cells[column] ?? "not run")]),
  };
}
