import { userRejected } from './errors.mjs'

/** Decides the wallet's prompts. Each is approved at once unless a test sets another decision beforehand. */
export class Approvals {
  /** @type {((approve: () => void, reject: (error: Error) => void) => void)[]} */
  #plans = []

  /** Declines the next prompt with code 4001. */
  rejectNext() {
    this.failNext(userRejected())
  }

  /**
   * Answers the next prompt with an error that the test chooses.
   *
   * @param {Error} error
   */
  failNext(error) {
    this.#plans.push((_, reject) => reject(error))
  }

  /**
   * Leaves the next prompt open until the test decides.
   *
   * @returns {{ opened: Promise<void>, approve: () => void, reject: () => void }}
   */
  holdNext() {
    /** @type {() => void} */
    let open = () => {}
    /** @type {Promise<void>} */
    const opened = new Promise((resolve) => {
      open = resolve
    })
    const held = { opened, approve: () => {}, reject: () => {} }
    this.#plans.push((approve, reject) => {
      held.approve = approve
      held.reject = () => reject(userRejected())
      open()
    })
    return held
  }

  /**
   * Shows a prompt.
   *
   * @returns {Promise<void>} resolves when approved
   */
  ask() {
    const plan = this.#plans.shift()
    if (!plan) return Promise.resolve()
    return new Promise((resolve, reject) => plan(resolve, reject))
  }
}
