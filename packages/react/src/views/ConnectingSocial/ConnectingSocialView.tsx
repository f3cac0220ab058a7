import {
  goBack,
  LoginCancelled,
  leaveSocial,
  loginMessage,
  loginWithSocial,
  type Message,
  reopenSocial,
  type SocialProvider,
} from '@hawser/core'
import { Button, ExternalIcon, type RingState } from '@hawser/ui'
import { useEffect, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { socialNames } from '../../locale/socialNames.ts'
import { useMessages } from '../../locale/textsOf.ts'
import { useLoginTexts } from '../../locale/useLoginTexts.ts'
import { LoginApproval } from '../../parts/logins/FrameOverCard.tsx'
import { SocialMark } from '../../parts/logins/SocialMark.tsx'
import { Waiting } from '../../parts/Waiting.tsx'

/** `closed`: the window has just been closed; `left`: it stays closed. */
type Status = 'waiting' | 'closed' | 'left' | 'cancelled' | 'retrieving' | 'failed'

const rings = {
  waiting: 'active',
  closed: 'active',
  retrieving: 'active',
  left: 'idle',
  cancelled: 'idle',
  failed: 'error',
} as const satisfies Record<Status, RingState>

/** Waits for a login in the window of a provider. */
export function ConnectingSocialView() {
  const hawser = useHawser()
  const social = useHawserState(hawser.router, (state) => state.data?.social)
  if (!social || social === 'farcaster') return null
  return <Login key={social} social={social} />
}

function Login({ social }: { social: SocialProvider }) {
  const texts = useLoginTexts().social
  const hawser = useHawser()
  const messages = useMessages()
  const [attempt, setAttempt] = useState(0)
  const [status, setStatus] = useState<Status>('waiting')
  const [detail, setDetail] = useState<Message>()
  const [open, setOpen] = useState<() => void>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt runs it again
  useEffect(() => {
    let isLeft = false
    setStatus('waiting')
    const blocked = (openWindow: () => void) => !isLeft && setOpen(() => openWindow)
    const becomes = (next: Status) => () => !isLeft && setStatus(next)
    loginWithSocial(hawser, social, {
      blocked,
      closed: becomes('closed'),
      left: becomes('left'),
      retrieving: becomes('retrieving'),
    }).catch((error: unknown) => {
      if (isLeft) return
      setDetail(loginMessage(error))
      setStatus(error instanceof LoginCancelled ? 'cancelled' : 'failed')
    })
    return () => {
      isLeft = true
      leaveSocial(hawser, social)
    }
  }, [hawser, social, attempt])

  const name = socialNames[social]
  const state = rings[status]
  const labels: Partial<Record<Status, string>> = {
    left: texts.left,
    cancelled: texts.cancelled,
    failed: texts.failed,
  }
  const text = {
    waiting: texts.window,
    closed: texts.closed,
    left: texts.leftText,
    cancelled: texts.cancelledText,
    retrieving: texts.retrieving,
    failed: detail ? messages(detail) : '',
  }
  return (
    <>
      <Waiting
        mark={
          <span className="hw-login-mark">
            <SocialMark social={social} size={40} />
          </span>
        }
        state={state}
        label={labels[status] ?? texts.title(name)}
        text={open && status === 'waiting' ? texts.blocked : text[status]}
        action={
          open &&
          state === 'active' && (
            <Button
              icon={<ExternalIcon size={18} />}
              data-testid="social-open"
              onClick={() => {
                open()
                setOpen(undefined)
              }}
            >
              {texts.open(name)}
            </Button>
          )
        }
        onRetry={() => {
          reopenSocial(hawser)
          setAttempt((count) => count + 1)
        }}
        other={{ label: texts.otherWays, onSelect: () => goBack(hawser) }}
      />
      <LoginApproval />
    </>
  )
}
