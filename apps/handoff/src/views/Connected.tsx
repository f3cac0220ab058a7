import { shorten } from '@hawser/texts/format/shorten'
import { visibleText } from '@hawser/texts/format/visibleText'
import type { HandoffTexts } from '@hawser/texts/handoff/language'
import type { Screen } from '../page.ts'
import type { LiveSession, PendingRequest } from '../session/sessions.ts'
import type { Drawing } from './draw.tsx'
import { nameOf, SiteName } from './Page.tsx'

type ConnectedScreen = Extract<Screen, { at: 'connected' }>

/** A connected site, and the request of a site that waits. */
export function Connected({
  screen,
  drawing,
}: {
  readonly screen: ConnectedScreen
  readonly drawing: Drawing
}) {
  const { texts } = drawing.language
  const { session, others, request, waiting, outcome, isStored, connection } = screen
  return (
    <>
      <p class="status">
        {connection === 'lost' && texts.connected.lost}
        {connection === 'resumed' && texts.connected.resumed}
      </p>
      {request ? (
        <Request key={request.key} request={request} waiting={waiting} drawing={drawing} />
      ) : (
        <>
          <span class="mark good" aria-hidden="true">
            ✓
          </span>
          <div>
            <h1 tabIndex={-1}>{texts.connected.title}</h1>
            {outcome && <p class={outcome === 'done' ? 'good' : 'caution'}>{texts.request[outcome]}</p>}
          </div>
          <SiteName site={session.record.site} />
          <p>{texts.connected.keepOpen}</p>
          {!isStored && <p class="caution">{texts.connected.notStored}</p>}
          <Facts session={session} drawing={drawing} />
          <button
            type="button"
            class="disconnect"
            onClick={() => drawing.actions.disconnect(session.session.topic)}
          >
            {texts.connected.disconnect}
          </button>
          {others.length > 0 && (
            <section>
              <h2>{texts.connected.others}</h2>
              <ul>
                {others.map((other) => (
                  <li key={other.session.topic}>
                    <SiteName site={other.record.site} />
                    <button
                      type="button"
                      aria-label={texts.connected.disconnectFrom(nameOf(other.record.site, texts))}
                      onClick={() => drawing.actions.disconnect(other.session.topic)}
                    >
                      {texts.connected.disconnect}
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </>
      )}
    </>
  )
}

function Facts({
  session: { record, session },
  drawing,
}: {
  readonly session: LiveSession
  readonly drawing: Drawing
}) {
  const { connected } = drawing.language.texts
  const accounts = Object.values(session.namespaces).flatMap((namespace) => namespace.accounts)
  // An account is a network, which has one colon, and an address (CAIP-10).
  const parts = accounts.map((account) => /^([^:]+:[^:]+):(.+)$/.exec(account) ?? [])
  const networks = [...new Set(parts.map(([, network = '']) => network))]
  const addresses = [...new Set(parts.map(([, , address = '']) => address))]
  return (
    <dl>
      <div>
        <dt>{connected.wallet}</dt>
        <dd>
          <bdi>{visibleText(record.wallet)}</bdi>
        </dd>
      </div>
      <div>
        <dt>{connected.account}</dt>
        {addresses.map((address) => (
          <dd key={address}>
            <bdi title={address} dir="ltr">
              {shorten(address)}
            </bdi>
          </dd>
        ))}
      </div>
      <div>
        <dt>{connected.network}</dt>
        {networks.map((chain) => (
          <dd key={chain}>
            <bdi>{drawing.networks.get(chain).name}</bdi>
          </dd>
        ))}
      </div>
    </dl>
  )
}

function Request({
  request,
  waiting,
  drawing,
}: {
  readonly request: PendingRequest
  readonly waiting: number
  readonly drawing: Drawing
}) {
  const { language, actions, previews } = drawing
  const { texts } = language
  const preview = previews.of(request, language)
  return (
    <>
      <div>
        <h1 tabIndex={-1}>{titleOf(request.method, texts)}</h1>
        <p>{texts.request.asks(nameOf(request.site, texts))}</p>
      </div>
      <SiteName site={request.site} />
      <div class="preview" aria-busy={preview === undefined}>
        {preview?.content ?? (
          <p class="muted">
            <span class="spinner small" aria-hidden="true" /> {texts.preview.checking}
          </p>
        )}
      </div>
      {request.isGiven ? (
        <p class="given">
          <span class="spinner small" aria-hidden="true" /> {texts.request.given}
        </p>
      ) : (
        // Of a dangerous request, rejecting is the first choice.
        <div class={preview?.isDanger ? 'buttons reversed' : 'buttons'}>
          <button
            type="button"
            class={preview?.isDanger ? '' : 'first'}
            disabled={preview === undefined}
            onClick={() => actions.decide(request.key, true)}
          >
            {texts.request.give}
          </button>
          <button
            type="button"
            class={preview?.isDanger ? 'first' : ''}
            onClick={() => actions.decide(request.key, false)}
          >
            {texts.request.reject}
          </button>
        </div>
      )}
      {waiting > 0 && (
        <>
          <p class="muted">{texts.request.more(waiting)}</p>
          {/* A site that asks again and again is left without an answer to each request. */}
          <button type="button" class="disconnect" onClick={() => actions.disconnect(request.session.topic)}>
            {texts.connected.disconnectFrom(nameOf(request.site, texts))}
          </button>
        </>
      )}
    </>
  )
}

/** Returns what a method is, in words. */
export function titleOf(method: string, { request: { kind } }: HandoffTexts): string {
  if (/^wallet_(grant|requestExecution)Permissions/.test(method)) return kind.permission
  if (/TypedData/.test(method)) return kind.data
  if (/send/i.test(method)) return kind.send
  if (/Transaction|Psbt/i.test(method)) return kind.transaction
  if (/^personal_sign|^eth_sign|message/i.test(method)) return kind.message
  return kind.other
}
