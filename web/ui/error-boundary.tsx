import { Component, type ReactNode } from 'react'

type ErrorBoundaryProps = {
  /** Shown instead of a broken part; nothing by default. */
  fallback?: ReactNode
  children: ReactNode
}

/** Catches errors of a part of the page, also of loading its code, so that everything around it stays usable. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    return this.state.broken ? this.props.fallback : this.props.children
  }
}
