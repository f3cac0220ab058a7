import { goBack } from '@hawser/core'
import { BoltIcon, Button, Ring } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useSessionsTexts } from '../../locale/useSessionsTexts.ts'

/** Reports that a session was granted, and explains what that is. */
export function SmartSessionCreatedView() {
  const texts = useSessionsTexts().created
  const hawser = useHawser()
  return (
    <div className="hw-stack">
      <div className="hw-waiting" data-state="success">
        <Ring state="success" shape="circle">
          <span className="hw-session-mark">
            <BoltIcon size={32} />
          </span>
        </Ring>
        <div className="hw-waiting-text" role="status">
          <p className="hw-waiting-label">{texts.title}</p>
          <p className="hw-waiting-detail">{texts.text}</p>
        </div>
      </div>
      <Button variant="primary" wide data-testid="smart-session-done-button" onClick={() => goBack(hawser)}>
        {texts.done}
      </Button>
      <details className="hw-session-what">
        <summary>{texts.question}</summary>
        <p className="hw-lead">{texts.answer}</p>
      </details>
    </div>
  )
}
