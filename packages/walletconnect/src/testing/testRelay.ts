import type { Socket } from '../environment.ts'

/** A relay inside the test, with the delivery rules of a real one. */
export interface TestRelay {
  readonly url: string
  /** Sockets that clients opened so far. */
  readonly opened: string[]
  /** Requests of clients so far, the acknowledgements left out. */
  readonly requests: { readonly method: string; readonly params: Record<string, unknown> }[]
  /** Messages in mailboxes: published and not acknowledged. */
  mailbox(topic: string): readonly string[]
  openSocket(url: string): Socket
  /** Closes all sockets and refuses new ones, like a relay that crashed; mailboxes stay. */
  stop(): void
  start(): void
  /** Closes each socket right after it was opened. */
  refuse(reason: string | undefined): void
  /** Answers the next requests with "too many requests". */
  limit(requests: number): void
  /** Stops reading and writing without closing a socket, like a network that was lost. */
  freeze(isFrozen: boolean): void
  /** Delivers every message twice. */
  duplicate(): void
  /** Delivers the messages of mailboxes in reverse. */
  reverseMailboxes(): void
  /** Publishes a message of a stranger. */
  publish(topic: string, message: string): void
  /** Sends a text to every socket. */
  sendRaw(text: string): void
}

interface Client {
  readonly id: string
  readonly socket: TestSocket
  readonly topics: Set<string>
}

interface Mail {
  readonly topic: string
  readonly message: string
  readonly publisher: string
}

class TestSocket implements Socket {
  readyState = 0
  onopen: ((event: never) => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onclose: ((event: { code: number; reason: string }) => void) | null = null
  onerror: ((event: never) => void) | null = null
  received: (text: string) => void = () => undefined
  gone: () => void = () => undefined

  send(text: string): void {
    queueMicrotask(() => this.received(text))
  }

  close(code = 1000, reason = ''): void {
    if (this.readyState === 3) return
    this.readyState = 3
    this.gone()
    queueMicrotask(() => this.onclose?.({ code, reason }))
  }
}

export function createTestRelay(url = 'wss://relay.test'): TestRelay {
  const clients = new Set<Client>()
  /** Deliveries that wait for an acknowledgement, by client and id. */
  const acks = new Map<string, Mail>()
  const opened: string[] = []
  const requests: TestRelay['requests'] = []
  let mails: Mail[] = []
  let isStopped = false
  let isFrozen = false
  let isDuplicating = false
  let refusal: string | undefined
  let limited = 0
  let serverId = 1_000_000

  function deliver(client: Client, mail: Mail): void {
    if (mail.publisher === client.id || isFrozen) return
    for (let copy = 0; copy < (isDuplicating ? 2 : 1); copy++) {
      const { topic, message } = mail
      const id = ++serverId
      const params = { id: 'sub', data: { topic, message, publishedAt: 0, tag: 0 } }
      const text = JSON.stringify({ id, jsonrpc: '2.0', method: 'irn_subscription', params })
      acks.set(`${client.id} ${id}`, mail)
      queueMicrotask(() => client.socket.onmessage?.({ data: text }))
    }
  }

  function publish(publisher: string, topic: string, message: string): void {
    if (mails.some((mail) => mail.message === message)) return
    const mail = { topic, message, publisher }
    mails.push(mail)
    for (const client of clients) if (client.topics.has(topic)) deliver(client, mail)
  }

  function subscribe(client: Client, topic: string): void {
    client.topics.add(topic)
    for (const mail of mails) if (mail.topic === topic) deliver(client, mail)
  }

  function receive(client: Client, text: string): void {
    if (isFrozen || isStopped) return
    const { id, method, params } = JSON.parse(text)
    if (!method) {
      const acked = acks.get(`${client.id} ${id}`)
      mails = mails.filter((mail) => mail !== acked)
      return
    }
    requests.push({ method, params })
    const answer = (response: object) =>
      client.socket.onmessage?.({ data: JSON.stringify({ id, jsonrpc: '2.0', ...response }) })
    if (limited > 0) {
      limited -= 1
      answer({ error: { code: 3001, message: 'Too many requests' } })
      return
    }
    // A relay answers the publisher before it delivers.
    switch (method) {
      case 'irn_publish':
        answer({ result: true })
        publish(client.id, params.topic, params.message)
        break
      case 'irn_batchSubscribe':
        answer({ result: params.topics })
        for (const topic of params.topics) subscribe(client, topic)
        break
      case 'irn_unsubscribe':
        client.topics.delete(params.topic)
        answer({ result: true })
        break
      case 'wc_proposeSession':
        answer({ result: true })
        subscribe(client, params.pairingTopic)
        publish(client.id, params.pairingTopic, params.sessionProposal)
        break
      case 'wc_approveSession':
        answer({ result: true })
        subscribe(client, params.sessionTopic)
        publish(client.id, params.sessionTopic, params.sessionSettlementRequest)
        publish(client.id, params.pairingTopic, params.sessionProposalResponse)
        break
      default:
        answer({ error: { code: -32600, message: 'Invalid payload: method' } })
    }
  }

  return {
    url,
    opened,
    requests,
    mailbox: (topic) => mails.filter((mail) => mail.topic === topic).map(({ message }) => message),
    openSocket(address) {
      opened.push(address)
      const socket = new TestSocket()
      const token = new URL(address).searchParams.get('auth') ?? ''
      const { iss } = JSON.parse(atob(token.split('.')[1] ?? ''))
      const client: Client = { id: iss, socket, topics: new Set() }
      if (!refusal) socket.received = (text) => receive(client, text)
      socket.gone = () => clients.delete(client)
      queueMicrotask(() => {
        if (isStopped) return socket.close(1006)
        socket.readyState = 1
        clients.add(client)
        socket.onopen?.({} as never)
        if (refusal) socket.close(3000, refusal)
      })
      return socket
    },
    stop() {
      isStopped = true
      for (const { socket } of [...clients]) socket.close(1001)
    },
    start() {
      isStopped = false
    },
    refuse(reason) {
      refusal = reason
    },
    limit(count) {
      limited = count
    },
    freeze(frozen) {
      isFrozen = frozen
    },
    duplicate() {
      isDuplicating = true
    },
    reverseMailboxes() {
      mails.reverse()
    },
    publish: (topic, message) => publish('stranger', topic, message),
    sendRaw(text) {
      for (const { socket } of clients) socket.onmessage?.({ data: text })
    },
  }
}
