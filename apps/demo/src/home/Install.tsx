import { CopyButton } from '@hawser/ui'
import snippet from './App.snippet.tsx?raw'

/** Starts the suite and makes a project for pages of one origin. */
const serverCommands = `make build
.tmp/bin/hawser &
.tmp/bin/hawser project create -name "My site" -origin http://localhost:3000`

/** Builds the packages in the clone, and installs them in a site. */
const packageCommands = `make pack
cd ../my-site
npm install "$OLDPWD"/.tmp/packages/*.tgz react react-dom viem`

/** The three steps from nothing to a connect button on a site. */
export function Install() {
  return (
    <section className="band" id="install" aria-labelledby="install-title">
      <h2 id="install-title">Install</h2>
      <ol className="steps">
        <Step
          title="Start the server"
          text="In a clone of the repository, with Go 1.26 and Node 22. The last line prints the project id that your page uses."
          code={serverCommands}
        />
        <Step
          title="Add the packages"
          text="They are built from the same commit as your server, so page and gateway always fit."
          code={packageCommands}
        />
        <Step
          title="Place the button"
          text="This file is compiled, built and opened in a browser by our tests."
          code={snippet}
        />
      </ol>
    </section>
  )
}

function Step({ title, text, code }: { title: string; text: string; code: string }) {
  return (
    <li className="step">
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      <div className="code">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard */}
        <pre tabIndex={0}>
          <code>{code.trim()}</code>
        </pre>
        <CopyButton text={code} label={`Copy: ${title}`} />
      </div>
    </li>
  )
}
