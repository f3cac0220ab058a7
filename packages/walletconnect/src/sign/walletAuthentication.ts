import { deriveSymKey, generateKeyPair, topicOf } from '../crypto/keys.ts'
import type { AuthPayload } from './cacao.ts'
import type { Answerable, Incoming } from './channel.ts'
import { SignError, signErrorCode } from './errors.ts'
import { type Metadata, readPeer } from './session.ts'
import { newSession, REJECTED, type WalletContext } from './walletContext.ts'

interface AuthenticateParams {
  readonly requester: { readonly publicKey: string; readonly metadata: Metadata }
  readonly authPayload: AuthPayload
}

/** Shows a sign-in message that a site requests. @throws SignError 10001 in a wallet that shows none */
export function receiveAuthentication({ core, metadata, listener }: WalletContext, incoming: Incoming): void {
  if (!listener.authenticate) {
    throw new SignError(signErrorCode.unknownMethod, 'unsupported method: wc_sessionAuthenticate')
  }
  const { channel } = core
  const { requester, authPayload } = incoming.params as AuthenticateParams
  const keys = generateKeyPair()
  const symKey = deriveSymKey(keys.privateKey, requester.publicKey)
  const answerable: Answerable = { ...incoming, topic: topicOf(requester.publicKey) }
  const key = { symKey, senderPublicKey: keys.publicKey }
  listener.authenticate({
    requester: readPeer(requester),
    payload: authPayload,
    async approve(cacaos, namespaces) {
      const session = newSession(core, symKey, incoming.topic, namespaces, readPeer(requester))
      core.add(session)
      const responder = { publicKey: keys.publicKey, metadata }
      await channel.answer(answerable, { cacaos, responder }, key)
      return session
    },
    reject: (failure = REJECTED) => channel.refuse(answerable, failure, key),
  })
}
