import './guide.css'
import architecture from '../../../../ARCHITECTURE.md'
import changelog from '../../../../CHANGELOG.md'
import contributing from '../../../../CONTRIBUTING.md'
import glossary from '../../../../docs/glossary.md'
import readme from '../../../../README.md'
import security from '../../../../SECURITY.md'
import { PageFrame } from '../page/PageFrame.tsx'

const documents = [
  { path: '/guide', title: 'Set up and run', html: readme },
  { path: '/guide/architecture', title: 'Architecture', html: architecture },
  { path: '/guide/security', title: 'Security', html: security },
  { path: '/guide/contributing', title: 'Contributing', html: contributing },
  { path: '/guide/glossary', title: 'Glossary', html: glossary },
  { path: '/guide/changelog', title: 'Changelog', html: changelog },
]

/** The documents of the repository. */
export function GuidePage() {
  const current = documents.find(({ path }) => path === location.pathname.replace(/\/$/, '')) ?? documents[0]
  return (
    <PageFrame>
      <div className="guide">
        <nav className="guide-links" aria-label="Documents">
          {documents.map(({ path, title }) => (
            <a key={path} href={path} aria-current={path === current?.path ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: written in this repository, rendered when the page is built */}
        <article className="guide-text" dangerouslySetInnerHTML={{ __html: current?.html ?? '' }} />
      </div>
    </PageFrame>
  )
}
