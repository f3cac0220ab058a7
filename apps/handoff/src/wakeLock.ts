/** Keeps the screen on while it is wanted and the page is shown, in browsers that can. */
export interface WakeLock {
  want(isWanted: boolean): void
}

interface Sentinel {
  release(): Promise<void>
}

export function createWakeLock(): WakeLock {
  const { wakeLock } = navigator as { wakeLock?: { request(type: 'screen'): Promise<Sentinel> } }
  let isWanted = false
  let held: Promise<Sentinel | undefined> | undefined

  function update(): void {
    if (isWanted && document.visibilityState === 'visible') {
      // A browser that saves energy refuses it.
      held ??= wakeLock?.request('screen').catch(() => undefined)
    } else {
      held?.then((sentinel) => sentinel?.release()).catch(() => undefined)
      held = undefined
    }
  }

  document.addEventListener('visibilitychange', update)
  return {
    want(next) {
      isWanted = next
      update()
    },
  }
}
