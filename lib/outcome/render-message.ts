/**
 * Replaces each `{name}` of a message by `data.name`. A name without data stays as it is, so that a missing part is seen;
 * braces inside the data are left alone.
 */
export function fillMessage(message: string, data: Readonly<Record<string, string>>): string {
  return message.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(data, name) ? (data[name] ?? placeholder) : placeholder,
  );
}
