/**
 * Returns a function that runs one action at a time, among all pages that share the storage of this one. Where the browser denies storage,
 * there are no other such pages.
 *
 * @param locks those of the browser; undefined on a page that is not secure
 */
export function createExclusive(
  name: string,
  locks: Pick<LockManager, 'request'> | undefined,
): <T>(action: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()

  /**
   * Runs an action. Only a request shows whether locks are allowed: Firefox grants it to frames of other
   * sites, but denies them `query`.
   */
  async function run<T>(action: () => Promise<T>): Promise<T> {
    let isGranted = false
    const grant = () => {
      isGranted = true
      return action()
    }
    try {
      return await (locks?.request(name, grant) ?? action())
    } catch (error) {
      if (isGranted || !locks) throw error
      return action()
    }
  }

  return (action) => {
    const result = last.then(() => run(action))
    last = result.catch(() => undefined)
    return result
  }
}
