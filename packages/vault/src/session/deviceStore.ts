const STORE = 'values'

/** Values of one project that stay in this browser, for the site that shows the frame. */
export interface DeviceStore {
  /** False where the browser denies storage to the frame: values are then lost with the page. */
  readonly persistent: boolean
  get<T>(key: string): Promise<T | undefined>
  put(key: string, value: unknown): Promise<void>
  delete(key: string): Promise<void>
}

/** Opens the store of a project in IndexedDB, or one in memory where the browser denies it. */
export async function openDeviceStore(projectId: string): Promise<DeviceStore> {
  try {
    return await indexedDbStore(`hawser-wallet-${projectId}`)
  } catch {
    return memoryStore()
  }
}

/** Creates a store whose values are lost with the page. */
export function memoryStore(): DeviceStore {
  const values = new Map<string, unknown>()
  return {
    persistent: false,
    get: async <T>(key: string) => values.get(key) as T | undefined,
    put: async (key, value) => void values.set(key, value),
    delete: async (key) => void values.delete(key),
  }
}

async function indexedDbStore(name: string): Promise<DeviceStore> {
  let opening = openDatabase(name)
  await opening

  /** Safari closes the database of a page in the background: it is opened again, and the action repeated once. */
  async function run<T>(
    mode: IDBTransactionMode,
    action: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    const used = opening
    try {
      return await transact(await used, mode, action)
    } catch (error) {
      if (!isConnectionLost(error)) throw error
      if (opening === used) opening = openDatabase(name)
      return transact(await opening, mode, action)
    }
  }

  return {
    persistent: true,
    get: <T>(key: string) => run<T | undefined>('readonly', (store) => store.get(key)),
    put: async (key, value) => void (await run('readwrite', (store) => store.put(value, key))),
    delete: async (key) => void (await run('readwrite', (store) => store.delete(key))),
  }
}

function openDatabase(name: string): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  return settled(opening)
}

/** Runs an action in a transaction of its own; returns its result once that is committed. */
async function transact<T>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  action: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const transaction = database.transaction(STORE, mode)
  const committed = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
  const [result] = await Promise.all([settled(action(transaction.objectStore(STORE))), committed])
  return result
}

/** `InvalidStateError` and `AbortError` in every browser, `UnknownError` in WebKit. Nothing was written then. */
function isConnectionLost(error: unknown): boolean {
  const { name } = (error ?? { name: 'AbortError' }) as { readonly name?: unknown }
  return ['InvalidStateError', 'AbortError', 'UnknownError'].includes(String(name))
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
