import type { Site } from '@hawser/vault'

/** Returns a site whose messages are logged by their names. Payloads are not logged: they have emails, codes and what is signed. */
export function logMessages(site: Site, { debug }: Pick<Console, 'debug'>): Site {
  return {
    ...site,
    succeed(name, id, payload) {
      debug(`wallet frame: ${name} succeeded`)
      site.succeed(name, id, payload)
    },
    fail(name, id, failure) {
      debug(`wallet frame: ${name} failed`, failure.code ?? '')
      site.fail(name, id, failure)
    },
    emit(event, payload) {
      debug(`wallet frame: ${event} sent`)
      site.emit(event, payload)
    },
    listen: (listener) =>
      site.listen((message) => {
        debug(`wallet frame: ${message.name} received`)
        listener(message)
      }),
  }
}
