import type { Repository } from './generator/repository.ts'
import type { Section } from './generator/types.ts'

/** Returns the pages in the order of the navigation. */
export function contents(_sources: Repository): Section[] {
  const content = 'apps/docs/content'
  return [
    {
      title: 'Start',
      pages: [
        {
          path: 'index.html',
          title: 'Introduction',
          file: `${content}/index.md`,
          about: 'A wallet modal for your site and the server that answers it, both hosted by you.',
        },
        {
          path: 'quickstart.html',
          title: 'Quickstart',
          file: `${content}/quickstart.md`,
          about: 'From a clone to a page with the button, sign-in and a transfer, on chains of this machine.',
        },
      ],
    },
    {
      title: 'Concepts',
      pages: [
        { path: 'concepts/sign-in.html', title: 'Sign-in', file: 'docs/sign-in.md' },
        { path: 'concepts/embedded-wallet.html', title: 'Embedded wallet', file: 'docs/embedded-wallet.md' },
        { path: 'concepts/smart-sessions.html', title: 'Smart sessions', file: 'docs/smart-sessions.md' },
        { path: 'concepts/glossary.html', title: 'Glossary', file: 'docs/glossary.md' },
      ],
    },
    {
      title: 'Build a page',
      pages: [
        { path: 'build/react.html', title: 'React', file: 'packages/react/README.md' },
        { path: 'build/wagmi.html', title: 'wagmi', file: 'examples/wagmi/README.md' },
      ],
    },
    {
      title: 'Operate',
      pages: [
        { path: 'operate/run.html', title: 'Run the suite', file: 'README.md' },
        { path: 'operate/helm.html', title: 'Helm', file: 'deploy/charts/hawser/README.md' },
        { path: 'operate/load-and-faults.html', title: 'Load and faults', file: 'docs/load-and-faults.md' },
        { path: 'operate/security.html', title: 'Security', file: 'SECURITY.md' },
      ],
    },
    {
      title: 'Project',
      pages: [
        { path: 'project/architecture.html', title: 'Architecture', file: 'ARCHITECTURE.md' },
        { path: 'project/contributing.html', title: 'Contributing', file: 'CONTRIBUTING.md' },
        { path: 'project/changelog.html', title: 'Changelog', file: 'CHANGELOG.md' },
      ],
    },
  ]
}
