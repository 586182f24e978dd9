import { Anchor, Progress, SimpleGrid, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Runner } from '../api/types';
import surfaces from '../shared/surfaces.module.css';
import { sayDuration, sayExactly } from '../shared/time';
import { breakdowns, details, headlines, measures, type Fact } from './statistics';
import { RunnerMinutes } from './RunnerMinutes';
import classes from './runners.module.css';
import { isUnderWay } from './statuses';

function FactList({ title, facts }: { title: string; facts: Fact[] }) {
  return (
    <section className={`${surfaces.card} ${classes.facts}`} aria-label={title}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label} className={classes.fact}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Headline({ label, value, leadsTo }: Fact) {
  return (
    <div className={`${surfaces.card} ${classes.headline}`}>
      <Text className={classes.headlineValue}>{value}</Text>
      {leadsTo ? (
        <Anchor
          size="sm"
          display="block"
          renderRoot={(props) => <Link to="." search={leadsTo as never} {...props} />}
        >
          {label}: show them
        </Anchor>
      ) : (
        <Text size="sm" c="dimmed">
          {label}
        </Text>
      )}
    </div>
  );
}

function timesOf({ created_at, started_at, finished_at }: Runner): Fact[] {
  const end = finished_at ? new Date(finished_at) : new Date();
  const seconds = started_at ? (end.getTime() - new Date(started_at).getTime()) / 1000 : null;
  return [
    { label: 'Made', value: sayExactly(created_at) },
    { label: 'Started', value: started_at ? sayExactly(started_at) : 'not yet' },
    { label: 'Finished', value: finished_at ? sayExactly(finished_at) : 'not yet' },
    { label: 'Took', value: seconds === null ? '–' : sayDuration(seconds) },
  ];
}

export function RunnerFacts({ runner }: { runner: Runner }) {
  const { statistics } = runner;
  const measured = measures(statistics);
  return (
    <>
      {isUnderWay(runner.status) && (
        <Progress
          value={statistics.progress * 100}
          aria-label="Share of the known pages that is done"
          mb="md"
        />
      )}
      <SimpleGrid cols={{ base: 2, md: 4 }} mb="md">
        {headlines(statistics).map((fact) => (
          <Headline key={fact.label} {...fact} />
        ))}
      </SimpleGrid>
      <RunnerMinutes runnerId={runner.id} isUnderWay={isUnderWay(runner.status)} />
      <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
        <FactList title="Details" facts={details(statistics)} />
        <div>
          <FactList title="Time" facts={timesOf(runner)} />
          {measured.length > 0 && <FactList title="How well it worked" facts={measured} />}
          {breakdowns(statistics).map(({ title, facts }) => (
            <FactList key={title} title={title} facts={facts} />
          ))}
        </div>
      </SimpleGrid>
    </>
  );
}
