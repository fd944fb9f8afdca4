/** A value that is made when it is first asked for, such as a long pattern that few turns need: to read one costs as much as many answers. */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
