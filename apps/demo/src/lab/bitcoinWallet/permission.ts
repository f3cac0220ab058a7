const MEMORY_KEY = 'hawser-lab/bitcoin-wallet'

/** Reports whether the visitor let the page use the Bitcoin accounts. */
export function isGranted(): boolean {
  return localStorage.getItem(MEMORY_KEY) !== null
}

/** Remembers whether the page may use the Bitcoin accounts. */
export function setGranted(granted: boolean): void {
  if (granted) localStorage.setItem(MEMORY_KEY, 'connected')
  else localStorage.removeItem(MEMORY_KEY)
}

/** Loads the code that signs, with the first signature. */
export function importSigner() {
  return import('./signer.ts')
}
