import { ThemeScope } from '@hawser/ui'

/** Shown when the configuration of the page could not be loaded. */
export function StartFailure({ message }: { message: string }) {
  return (
    <ThemeScope mode="dark">
      <main className="start-failure">
        <h1>This page could not start</h1>
        <p>{message}</p>
        <p>
          Start everything with <code>make up</code>, then reload this page.
        </p>
      </main>
    </ThemeScope>
  )
}
