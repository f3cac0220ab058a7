/** One question asked again and again, of which only the newest answer counts. */
export interface Latest {
  /** Aborted as soon as the same question is asked again. */
  readonly signal: AbortSignal
  isCurrent(): boolean
}

/** Keeps a late answer from overwriting a newer one. */
export interface LatestOnly {
  /** Starts asking `question`; the previous asking of it is aborted. */
  begin(question: string): Latest
  /** Aborts every question whose name starts with `prefix`. */
  abandon(prefix: string): void
}

export function createLatestOnly(): LatestOnly {
  const controllers = new Map<string, AbortController>()

  return {
    begin(question) {
      controllers.get(question)?.abort()
      const controller = new AbortController()
      controllers.set(question, controller)
      return { signal: controller.signal, isCurrent: () => controllers.get(question) === controller }
    },
    abandon(prefix) {
      for (const [question, controller] of controllers) {
        if (!question.startsWith(prefix)) continue
        controller.abort()
        controllers.delete(question)
      }
    },
  }
}
