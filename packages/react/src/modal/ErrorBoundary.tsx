import { Component, type ReactNode } from 'react'

export interface ErrorBoundaryProps {
  /** Another value renders the children again. */
  resetKey: string
  onError: (error: unknown) => void
  /** Returns what is shown instead of children that threw; `retry` renders them again. */
  fallback: (retry: () => void) => ReactNode
  children: ReactNode
}

interface ErrorBoundaryState {
  readonly hasFailed: boolean
  readonly resetKey: string
}

/** Keeps errors of its children from the site's tree, all of which React would unmount. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  static getDerivedStateFromError(): Partial<ErrorBoundaryState> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps(
    { resetKey }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): Partial<ErrorBoundaryState> | null {
    return resetKey === state.resetKey ? null : { hasFailed: false, resetKey }
  }

  override state: ErrorBoundaryState = { hasFailed: false, resetKey: this.props.resetKey }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error)
  }

  private readonly retry = (): void => this.setState({ hasFailed: false })

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback(this.retry) : this.props.children
  }
}
