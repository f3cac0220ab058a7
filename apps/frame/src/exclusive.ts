/**
 * Returns a function that runs one action at a time, among all pages that share the storage of this one. Where the browser denies storage,
 * there are no other such pages.
 */
export function createExclusive(name: string): <T>(action: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  const isShared = navigator.locks?.query().then(
    () => true,
    () => false,
  )

  return (action) => {
    const run = async () => ((await isShared) ? navigator.locks.request(name, action) : action())
    const result = last.then(run, run)
    last = result.catch(() => undefined)
    return result as ReturnType<typeof action>
  }
}
