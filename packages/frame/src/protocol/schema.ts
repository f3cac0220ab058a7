/** Checks a value that came from another window. It never throws. */
export type Schema<T> = (value: unknown) => value is T

/** The type that a schema admits. */
export type Admitted<S> = S extends Schema<infer T> ? T : never

type OptionalKeys<F> = { [K in keyof F]: undefined extends Admitted<F[K]> ? K : never }[keyof F]
type Fields<F> = { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Admitted<F[K]> } & {
  readonly [K in OptionalKeys<F>]?: Exclude<Admitted<F[K]>, undefined>
}

/** The longest text that a message may hold, in UTF-16 code units: a batch of calls with a large deployment fits. */
const MAX_TEXT = 512 * 1024
const MAX_ITEMS = 1_000
const MAX_DEPTH = 32

/** Admits a text of at most `max` UTF-16 code units, with a pattern if one is given. */
export function text(max = MAX_TEXT, pattern?: RegExp): Schema<string> {
  return (value): value is string =>
    typeof value === 'string' && value.length <= max && (pattern?.test(value) ?? true)
}

export const bool: Schema<boolean> = (value): value is boolean => typeof value === 'boolean'

/** Admits a finite number. */
export const number: Schema<number> = (value): value is number => Number.isFinite(value)

/** Admits the given words alone. */
export function oneOf<const W extends string>(...words: readonly W[]): Schema<W> {
  return (value): value is W => (words as readonly unknown[]).includes(value)
}

/** Admits null, and what the schema admits. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return (value): value is T | null => value === null || schema(value)
}

/** Admits a field that is absent or undefined, and what the schema admits. */
export function optional<T>(schema: Schema<T>): Schema<T | undefined> {
  return (value): value is T | undefined => value === undefined || schema(value)
}

/** Admits an array of at most `max` items. */
export function list<T>(schema: Schema<T>, max = MAX_ITEMS): Schema<readonly T[]> {
  return (value): value is readonly T[] =>
    Array.isArray(value) && value.length <= max && value.every((item) => schema(item))
}

/** Admits an object whose own fields pass; other fields are ignored. */
export function object<F extends Record<string, Schema<unknown>>>(fields: F): Schema<Fields<F>> {
  return (value): value is Fields<F> =>
    isObject(value) &&
    Object.entries(fields).every(([name, schema]) =>
      schema(Object.hasOwn(value, name) ? value[name] : undefined),
    )
}

/** Admits an object with any names, whose values pass. */
export function record<T>(schema: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> =>
    isObject(value) &&
    Object.keys(value).length <= MAX_ITEMS &&
    Object.values(value).every((field) => schema(field))
}

/** Admits JSON of bounded depth, length and text. */
export const json: Schema<unknown> = (value): value is unknown => isJson(value, MAX_DEPTH)

/** Admits a message without a payload; what it carries is ignored. */
export const nothing: Schema<undefined> = (_value): _value is undefined => true

function isJson(value: unknown, depth: number): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string') return value.length <= MAX_TEXT
  if (depth === 0) return false
  if (Array.isArray(value)) return value.length <= MAX_ITEMS && value.every((item) => isJson(item, depth - 1))
  return (
    isObject(value) &&
    Object.keys(value).length <= MAX_ITEMS &&
    Object.values(value).every((field) => isJson(field, depth - 1))
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
