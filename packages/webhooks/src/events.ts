/** Somebody logged in to the embedded wallet of the site for the first time. */
export interface UserCreated {
  type: 'user.created'
  timestamp: string
  data: { projectId: string; user: { id: string } }
}

/** An order of the on-ramp reached a state. */
export interface OrderChanged {
  type:
    | 'order.pending'
    | 'order.paid'
    | 'order.completed'
    | 'order.expired'
    | 'order.cancelled'
    | 'order.failed'
    | 'order.refunded'
  timestamp: string
  data: {
    projectId: string
    order: {
      id: string
      /** The state, as in the type of the event. */
      state: string
      /** Name of the seller. */
      serviceProvider: string
      /** Account that receives the tokens. */
      walletAddress: string
      /** CAIP-2; absent until known. */
      chainId?: string
      /** What is paid, as a decimal in whole units; absent until known. */
      payment?: { amount: string; currency: string }
      /** The tokens, as a decimal in whole units; absent until known. */
      purchase?: { amount: string; currency: string }
      /** Hash of the transaction that sent the tokens; absent until known. */
      transaction?: string
      /** Why it failed, such as PAYMENT_DECLINED; absent if it did not, or if that is not known. */
      failure?: string
      /** Whether no money moved, because the seller is a sandbox. */
      sandbox: boolean
      createdAt: string
      updatedAt: string
    }
  }
}

/** An account granted a smart session to the site. */
export interface SessionGranted {
  type: 'session.granted'
  timestamp: string
  data: {
    projectId: string
    session: {
      id: string
      /** CAIP-10. */
      account: string
      expiresAt: string
    }
  }
}

/** A smart session that was granted is revoked. */
export interface SessionRevoked extends Omit<SessionGranted, 'type'> {
  type: 'session.revoked'
}

/** A name was registered at the site. */
export interface NameRegistered {
  type: 'name.registered'
  timestamp: string
  data: { projectId: string; name: { name: string; address: string } }
}

/** An account signed in at the site. An endpoint gets it only if it asks for it. */
export interface WalletConnected {
  type: 'wallet.connected'
  timestamp: string
  data: {
    projectId: string
    wallet: {
      address: string
      /** CAIP-2. */
      chainIds: string[]
    }
  }
}

/**
 * A transaction that the site had followed is in a final block. An endpoint gets it only if it asks for it. Everything but
 * the reference is the chain's: compare what you expect, and take each hash once.
 */
export interface TransactionConfirmed {
  type: 'transaction.confirmed'
  timestamp: string
  data: {
    projectId: string
    transaction: {
      /** CAIP-2. */
      chainId: string
      /** Whether it succeeded, as in the type of the event. */
      status: 'confirmed' | 'failed'
      hash: string
      from: string
      /** Absent if it created a contract. */
      to?: string
      /** The contract that it created. */
      contract?: string
      /** In wei, as a decimal. Tokens are not in it. */
      value: string
      blockNumber: number
      blockHash: string
      blockTime: string
      /** How many blocks the chain had from its block on. */
      confirmations: number
      /** Text of whoever had it followed; absent without one. */
      reference?: string
    }
  }
}

/** A transaction that the site had followed is in a final block, and reverted: nothing moved but its fee. */
export interface TransactionFailed extends Omit<TransactionConfirmed, 'type'> {
  type: 'transaction.failed'
}

/** The body of a webhook. Later versions may have other types. */
export type WebhookEvent =
  | UserCreated
  | OrderChanged
  | SessionGranted
  | SessionRevoked
  | NameRegistered
  | WalletConnected
  | TransactionConfirmed
  | TransactionFailed
