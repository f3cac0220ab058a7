/** The newest of several requests for the same thing; only its response is used. */
export interface Latest {
  /** Aborted by the next request for the same thing. */
  readonly signal: AbortSignal
  isCurrent(): boolean
}

/** Keeps a late response from overwriting a newer one. */
export interface LatestOnly {
  /** Starts a request under a name and aborts the previous one. */
  begin(question: string): Latest
  /** Starts a request about `subject`, or joins the pending one about the same subject. */
  share<T>(question: string, subject: string, ask: (latest: Latest) => Promise<T>): Promise<T>
  /** Aborts every request whose name starts with `prefix`. */
  abandon(prefix: string): void
}

interface Shared {
  readonly subject: string
  readonly answer: Promise<unknown>
}

export function createLatestOnly(): LatestOnly {
  const controllers = new Map<string, AbortController>()
  const sharing = new Map<string, Shared>()

  function begin(question: string): Latest {
    controllers.get(question)?.abort()
    const controller = new AbortController()
    controllers.set(question, controller)
    sharing.delete(question)
    return { signal: controller.signal, isCurrent: () => controllers.get(question) === controller }
  }

  return {
    begin,
    share<T>(question: string, subject: string, ask: (latest: Latest) => Promise<T>) {
      const underWay = sharing.get(question)
      if (underWay?.subject === subject) return underWay.answer as Promise<T>
      const answer = ask(begin(question))
      const shared = { subject, answer }
      sharing.set(question, shared)
      const settle = () => {
        if (sharing.get(question) === shared) sharing.delete(question)
      }
      answer.then(settle, settle)
      return answer
    },
    abandon(prefix) {
      for (const [question, controller] of controllers) {
        if (!question.startsWith(prefix)) continue
        controller.abort()
        controllers.delete(question)
        sharing.delete(question)
      }
    },
  }
}
