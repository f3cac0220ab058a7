/** Returns rows as CSV (RFC 4180) that a spreadsheet opens as text: no cell is executed as a formula. */
export function toCsv(
  header: readonly string[],
  rows: readonly (readonly (string | number | bigint)[])[],
): string {
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number | bigint): string {
  if (typeof value !== 'string') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Saves a text as a file of the operator's machine. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has started with the click; some browsers read the URL a little later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
