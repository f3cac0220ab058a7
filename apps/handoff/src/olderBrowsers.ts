// Adds the functions that the packages use and that the WebViews of Android 10 and iOS 15 may lack. It is imported first.

function add(target: object, name: string, value: unknown): void {
  if (name in target) return
  Object.defineProperty(target, name, { value, writable: true, configurable: true })
}

add(
  Object,
  'hasOwn',
  (object: object, key: PropertyKey) => Object.getOwnPropertyDescriptor(object, key) !== undefined,
)

add(String.prototype, 'replaceAll', function (this: string, found: string, by: string) {
  return this.split(found).join(by)
})

function at<T>(this: ArrayLike<T>, index: number): T | undefined {
  return this[index < 0 ? this.length + index : index]
}
add(Array.prototype, 'at', at)
add(String.prototype, 'at', at)

add(
  Promise,
  'any',
  <T>(promises: readonly Promise<T>[]): Promise<T> =>
    new Promise((resolve, reject) => {
      let waiting = promises.length
      const errors: unknown[] = []
      const failed = (error: unknown) => {
        errors.push(error)
        waiting -= 1
        if (waiting === 0) reject(new AggregateError(errors, 'All promises were rejected'))
      }
      for (const promise of promises) promise.then(resolve, failed)
    }),
)

add(
  globalThis,
  'AggregateError',
  class extends Error {
    constructor(
      readonly errors: readonly unknown[],
      message: string,
    ) {
      super(message)
    }
  },
)

add(AbortSignal, 'timeout', (ms: number) => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), ms)
  return controller.signal
})
