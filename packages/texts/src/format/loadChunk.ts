/**
 * How long the texts of a language may take to load, in milliseconds. After that the page is shown in
 * English.
 */
const TIMEOUT_MS = 3_000

/** Loads the chunk of a language. Returns undefined for a tag that has none, and when it does not load in time. */
export async function loadChunk<Chunk>(
  chunks: Readonly<Record<string, () => Promise<Chunk>>>,
  tag: string,
): Promise<Chunk | undefined> {
  const load = Object.hasOwn(chunks, tag) ? chunks[tag] : undefined
  return load && loadInTime(load)
}

/** Loads a chunk. Returns undefined when it does not load in time. */
export async function loadInTime<Chunk>(load: () => Promise<Chunk>): Promise<Chunk | undefined> {
  let stop: () => void = () => undefined
  const timeout = new Promise<undefined>((resolve) => {
    const timer = setTimeout(resolve, TIMEOUT_MS)
    stop = () => clearTimeout(timer)
  })
  try {
    return await Promise.race([load(), timeout])
  } catch {
    return undefined
  } finally {
    stop()
  }
}
