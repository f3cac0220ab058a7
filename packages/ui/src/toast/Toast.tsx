import { Spinner } from '../feedback/Spinner.tsx'
import { AlertIcon, CheckIcon, InfoIcon } from '../icons/icons.tsx'

export type ToastVariant = 'loading' | 'success' | 'neutral' | 'error'

export interface ToastProps {
  open: boolean
  variant: ToastVariant
  message: string
}

/**
 * The toast and its live regions. The regions stay in the page while no toast is shown, because a screen
 * reader announces only changes inside an existing region. Errors are assertive, others polite.
 */
export function Toast({ open, variant, message }: ToastProps) {
  const content = open && (
    <div className="hw-toast" data-variant={variant} data-state="open">
      <span className="hw-toast-icon">
        {variant === 'loading' && <Spinner size={18} />}
        {variant === 'success' && <CheckIcon size={18} />}
        {variant === 'neutral' && <InfoIcon size={18} />}
        {variant === 'error' && <AlertIcon size={18} />}
      </span>
      <span className="hw-toast-message" data-testid="wui-snackbar-message">
        {message}
      </span>
    </div>
  )
  return (
    <div className="hw-toast-area">
      <div role="status">{variant !== 'error' && content}</div>
      <div role="alert">{variant === 'error' && content}</div>
    </div>
  )
}
