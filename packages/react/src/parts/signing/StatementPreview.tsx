import type { SignedStatement } from '@hawser/core'
import { useSigningTexts } from '../../locale/useSigningTexts.ts'
import { SigningPreview } from './SigningPreview.tsx'

/** The text that the wallet is requested to sign, and what signing it does. */
export function StatementPreview({ signing }: { signing: SignedStatement | undefined }) {
  const texts = useSigningTexts()
  if (!signing) return null
  return (
    <>
      <div className="hw-signing" data-testid="signing-statement">
        <p className="hw-signing-title">{texts.statement}</p>
        <pre className="hw-signing-statement">{signing.text}</pre>
      </div>
      <SigningPreview preview={signing.preview} />
    </>
  )
}
