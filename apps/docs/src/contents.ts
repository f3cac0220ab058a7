import type { Repository } from './generator/repository.ts'
import type { Section } from './generator/types.ts'
import { apiPages } from './reference/api.ts'
import { typePages } from './reference/types.ts'

/** Returns the pages in the order of the navigation. */
export function contents(sources: Repository): Section[] {
  return [
    {
      title: 'Start',
      pages: [
        {
          path: 'index.html',
          title: 'Introduction',
          file: 'docs/index.md',
          about: 'A wallet modal for your site and the server that answers it, both hosted by you.',
        },
        {
          path: 'quickstart.html',
          title: 'Quickstart',
          file: 'docs/quickstart.md',
          about: 'From a clone to a page with the button, sign-in and a transfer, on chains of this machine.',
        },
        { path: 'demo.html', title: 'Live demo', file: 'docs/demo.md' },
      ],
    },
    {
      title: 'Concepts',
      pages: [
        { path: 'concepts/parts.html', title: 'How the parts fit', file: 'docs/concepts/parts.md' },
        {
          path: 'concepts/projects.html',
          title: 'Projects and origins',
          file: 'docs/concepts/projects.md',
        },
        {
          path: 'concepts/networks.html',
          title: 'Networks and namespaces',
          file: 'docs/concepts/networks.md',
        },
        {
          path: 'concepts/embedded-wallet.html',
          title: 'Embedded wallet',
          file: 'docs/concepts/embedded-wallet.md',
        },
        { path: 'concepts/sign-in.html', title: 'Sign-in', file: 'docs/concepts/sign-in.md' },
        {
          path: 'concepts/smart-sessions.html',
          title: 'Smart sessions',
          file: 'docs/concepts/smart-sessions.md',
        },
        { path: 'concepts/glossary.html', title: 'Glossary', file: 'docs/glossary.md' },
      ],
    },
    {
      title: 'Build a page',
      pages: [
        { path: 'build/react.html', title: 'React', file: 'packages/react/README.md' },
        { path: 'build/components.html', title: 'Components and hooks', file: 'docs/react.md' },
        { path: 'build/wallets.html', title: 'Wallets', file: 'docs/build/wallets.md' },
        { path: 'build/webhooks.html', title: 'Webhooks', file: 'docs/build/webhooks.md' },
        { path: 'build/languages.html', title: 'Languages', file: 'docs/languages.md' },
        { path: 'build/browsers.html', title: 'Browsers', file: 'docs/browsers.md' },
        { path: 'build/next.html', title: 'Next.js', file: 'examples/next/README.md' },
        { path: 'build/wagmi.html', title: 'wagmi', file: 'examples/wagmi/README.md' },
        {
          path: 'build/without-react.html',
          title: 'Without React',
          file: 'docs/without-react.md',
          about:
            'Wallets, accounts and balances in an interface of your own, by the stores and actions of @hawser/core.',
        },
        { path: 'build/html.html', title: 'Without a bundler', file: 'examples/html/README.md' },
        { path: 'build/migrate.html', title: 'Migrate from AppKit', file: 'docs/migrate-from-appkit.md' },
      ],
    },
    {
      title: 'Configure',
      pages: [
        { path: 'configure/overview.html', title: 'Overview', file: 'docs/configure/overview.md' },
        {
          path: 'configure/descriptors.html',
          title: 'Descriptions of requests',
          file: 'docs/configure/descriptors.md',
        },
        { path: 'configure/settings.html', title: 'Every setting', file: 'docs/settings.md' },
      ],
    },
    {
      title: 'Operate',
      pages: [
        { path: 'operate/first-day.html', title: 'Your first day', file: 'docs/operate/first-day.md' },
        {
          path: 'operate/first-thousand-users.html',
          title: 'Your first thousand users',
          file: 'docs/operate/first-thousand-users.md',
        },
        {
          path: 'operate/first-incident.html',
          title: 'Your first incident',
          file: 'docs/operate/first-incident.md',
        },
        { path: 'operate/capacity.html', title: 'Capacity', file: 'docs/operate/capacity.md' },
        { path: 'operate/one-binary.html', title: 'One binary', file: 'docs/operate/one-binary.md' },
        { path: 'operate/compose.html', title: 'Compose', file: 'docs/operate/compose.md' },
        { path: 'operate/helm.html', title: 'Helm', file: 'deploy/charts/hawser/README.md' },
        { path: 'operate/telemetry.html', title: 'Telemetry', file: 'docs/operate/telemetry.md' },
        { path: 'operate/status.html', title: 'Status', file: 'docs/operate/status.md' },
        { path: 'operate/console.html', title: 'Console', file: 'docs/operate/console.md' },
        { path: 'operate/runbooks.html', title: 'Runbooks', file: 'docs/runbooks.md' },
        { path: 'operate/sponsoring.html', title: 'Sponsoring', file: 'docs/sponsoring.md' },
        { path: 'operate/upgrade.html', title: 'Upgrade', file: 'docs/operate/upgrade.md' },
        { path: 'operate/backup.html', title: 'Backup and restore', file: 'docs/operate/backup.md' },
        { path: 'operate/load-and-faults.html', title: 'Load and faults', file: 'docs/load-and-faults.md' },
        { path: 'operate/handoff.html', title: 'The hand-off protocol', file: 'docs/handoff.md' },
        { path: 'operate/security.html', title: 'Security', file: 'SECURITY.md' },
      ],
    },
    { title: 'Packages', pages: typePages(sources) },
    {
      title: 'API',
      pages: [
        { path: 'reference/api.html', title: 'Overview', file: 'docs/reference/api.md' },
        ...apiPages(sources),
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
