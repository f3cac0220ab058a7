/** Chromium and Firefox name the URL of the module that they could not import; WebKit, which imports it again, does not. */
const failedUrl = /dynamically imported module: (https?:\S+)/

/**
 * Imports a module, and imports it once more from another URL when that fails: some browsers answer every later import
 * of a URL from the first failure, until the page is reloaded.
 *
 * @param load the dynamic import, as the bundler knows it
 * @param name an export of the module; a bundler may put the module into a chunk of several, where it is found by this
 * @param importUrl imports from a URL that only the browser knows
 * @throws the error of the first import when the second one fails too, or when the browser does not name the URL
 */
export async function importModule<Name extends string, Module extends Record<Name, unknown>>(
  load: () => Promise<Module>,
  name: Name,
  importUrl: (url: string) => Promise<object> = (url) =>
    import(/* @vite-ignore */ /* webpackIgnore: true */ url),
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const url = failedUrl.exec(String(error))?.[1]
    const chunk = url && (await importUrl(withRetry(url)).catch(() => undefined))
    const found = chunk && moduleWith(chunk, name)
    if (!found) throw error
    return found as Module
  }
}

/** The same file under a URL that was not imported before. */
function withRetry(url: string): string {
  const retried = new URL(url)
  retried.searchParams.set('retry', crypto.randomUUID())
  return retried.href
}

function moduleWith(chunk: object, name: string): object | undefined {
  return [chunk, ...Object.values(chunk)].find(
    (value: unknown) => typeof value === 'object' && value !== null && name in value,
  )
}
