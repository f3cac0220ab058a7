/** Chromium and Firefox name the URL of the module that they could not import; WebKit, which imports it again, does not. */
const failedUrl = /dynamically imported module: (https?:\S+)/

/**
 * Imports a module; after a failure, once more from another URL, because some browsers repeat the first failure for a
 * URL until the page is reloaded.
 *
 * @param load the dynamic import, as the bundler resolves it
 * @param name an export that the module has; a bundler may merge the module into a chunk with several
 * @param importUrl imports a URL that only the browser knows
 * @throws the first error when the second import fails too, or the browser does not name the URL
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

/** Returns a URL of the same file that was not imported before. */
function withRetry(url: string): string {
  const retried = new URL(url)
  // `crypto.randomUUID` is for secure pages only.
  retried.searchParams.set('retry', String(Math.random()))
  return retried.href
}

function moduleWith(chunk: object, name: string): object | undefined {
  return [chunk, ...Object.values(chunk)].find(
    (value: unknown) => typeof value === 'object' && value !== null && name in value,
  )
}
