import { visibleText } from '@hawser/texts/format/visibleText'
import type { HandoffTexts } from '@hawser/texts/handoff/language'
import type { ComponentChild } from 'preact'
import type { Screen } from '../page.ts'
import type { Site } from '../session/records.ts'
import { Connected, titleOf } from './Connected.tsx'
import type { Drawing } from './draw.tsx'
import { NoWallet } from './NoWallet.tsx'

interface Props<At extends Screen['at'] = Screen['at']> {
  readonly screen: Extract<Screen, { at: At }>
  readonly drawing: Drawing
}

/** The page at any of its screens. What changes without the visitor is spoken. */
export function Page({ screen, drawing }: { readonly screen: Screen; readonly drawing: Drawing }) {
  return (
    <main>
      <div key={screen.at} class={`screen ${screen.at}`}>
        <Content screen={screen} drawing={drawing} />
      </div>
      <p class="spoken" role="status">
        {spokenOf(screen, drawing.language.texts)}
      </p>
    </main>
  )
}

/** Returns what a screen reader says of a screen when it comes. */
function spokenOf(screen: Screen, texts: HandoffTexts): string {
  switch (screen.at) {
    case 'opening':
      return texts.loading
    case 'comparing':
      return screen.digits
        ? `${texts.comparing.title} ${[...screen.digits].join(' ')}`
        : texts.comparing.waiting
    case 'asking':
      return texts.asking.title
    case 'connected': {
      const { request, outcome, connection } = screen
      if (connection === 'lost') return texts.connected.lost
      if (request) return request.isGiven ? texts.request.given : titleOf(request.method, texts)
      if (outcome) return texts.request[outcome]
      return connection === 'resumed' ? texts.connected.resumed : texts.connected.title
    }
    default:
      return texts[screen.at].title
  }
}

function Content({ screen, drawing }: Props) {
  const { texts } = drawing.language
  switch (screen.at) {
    case 'finding':
      return <Notice title={texts.finding.title} isBusy />
    case 'opening':
      return <Notice title={texts.loading} isBusy />
    case 'noWallet':
      return <NoWallet drawing={drawing} />
    case 'choosing':
      return <Choosing screen={screen} drawing={drawing} />
    case 'taken':
      return <Notice title={texts.taken.title} text={texts.taken.text} isBad />
    case 'expired':
      return <Notice title={texts.expired.title} text={texts.expired.text} />
    case 'unreached':
      return (
        <Notice title={texts.unreached.title} text={texts.unreached.text} isBad>
          <button type="button" class="first" onClick={drawing.actions.tryAgain}>
            {texts.tryAgain}
          </button>
        </Notice>
      )
    case 'comparing':
      return <Comparing screen={screen} drawing={drawing} />
    case 'waiting':
      return (
        <Notice title={texts.waiting.title} text={texts.waiting.text} isBusy>
          <SiteName site={screen.site} />
        </Notice>
      )
    case 'asking':
      return (
        <Notice title={texts.asking.title} text={texts.asking.text(nameOf(screen.site, texts))} isBusy>
          <SiteName site={screen.site} />
        </Notice>
      )
    case 'declined':
      return (
        <Notice
          title={texts.declined.title}
          text={declinedText(screen.reason, texts)}
          isBad={screen.reason === 'differ'}
        />
      )
    case 'ended':
      return (
        <Notice title={texts.ended.title} text={texts.ended.text}>
          <SiteName site={screen.site} />
        </Notice>
      )
    case 'connected':
      return <Connected screen={screen} drawing={drawing} />
  }
}

function declinedText(reason: 'differ' | 'declined' | 'unsupported', { declined }: HandoffTexts): string {
  return reason === 'declined' ? declined.text : declined[reason]
}

/** Returns what a site is called in a sentence: its host, which cannot be chosen freely. */
export function nameOf({ origin }: Site, texts: HandoffTexts): string {
  return origin.replace(/^https?:\/\//, '') || texts.site
}

/** A title with a text. */
function Notice({
  title,
  text,
  isBusy = false,
  isBad = false,
  children,
}: {
  readonly title: string
  readonly text?: string
  readonly isBusy?: boolean
  readonly isBad?: boolean
  readonly children?: ComponentChild
}) {
  return (
    <>
      {isBusy && <span class="spinner" aria-hidden="true" />}
      {isBad && (
        <span class="mark" aria-hidden="true">
          !
        </span>
      )}
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {text && <p>{text}</p>}
      </div>
      {children}
    </>
  )
}

/** The name of a project, and the origin of its page. */
export function SiteName({ site: { name, origin } }: { readonly site: Site }) {
  return (
    <p class="site">
      {name && <bdi>{visibleText(name)}</bdi>}
      <bdi class="origin" dir="ltr">
        {origin}
      </bdi>
    </p>
  )
}

function Choosing({ screen: { wallets }, drawing: { language, actions } }: Props<'choosing'>) {
  return (
    <>
      <h1 tabIndex={-1}>{language.texts.choosing.title}</h1>
      <ul class="wallets">
        {wallets.map((wallet) => (
          <li key={wallet.name}>
            <button type="button" onClick={() => actions.choose(wallet)}>
              {wallet.icon && <img src={wallet.icon} alt="" width="32" height="32" />}
              <bdi>{visibleText(wallet.name)}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

function Comparing({ screen: { site, digits }, drawing: { language, actions } }: Props<'comparing'>) {
  const { comparing } = language.texts
  return (
    <>
      <h1 tabIndex={-1}>{comparing.title}</h1>
      <SiteName site={site} />
      <p>{comparing.asks(nameOf(site, language.texts))}</p>
      <div>
        {digits ? (
          <>
            <p class="label">{comparing.number}</p>
            <p class="digits" dir="ltr">
              {`${digits.slice(0, 3)} ${digits.slice(3)}`}
            </p>
            <p class="question">{comparing.question}</p>
          </>
        ) : (
          <>
            <span class="spinner" aria-hidden="true" />
            <p>{comparing.waiting}</p>
          </>
        )}
      </div>
      {digits && (
        <div class="buttons">
          <button type="button" class="first" onClick={actions.confirm}>
            {comparing.confirm}
          </button>
          <button type="button" onClick={actions.differ}>
            {comparing.differ}
          </button>
        </div>
      )}
    </>
  )
}
