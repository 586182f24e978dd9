import '@mantine/charts/styles.css';
import { AreaChart } from '@mantine/charts';
import type { MinutePoint } from './minutes';

const series = [
  { name: 'pages', label: 'Pages', color: 'wheat.5' },
  { name: 'documents', label: 'Documents', color: 'fern.6' },
  { name: 'failed', label: 'Failed', color: 'red.6' },
];

export default function MinutesChart({ points }: { points: MinutePoint[] }) {
  const shown = series.filter(({ name }) => name !== 'failed' || points.some(({ failed }) => failed > 0));
  return (
    <AreaChart
      h={220}
      data={points}
      dataKey="time"
      series={shown}
      curveType="monotone"
      withLegend
      withDots={points.length < 30}
      tickLine="none"
      areaProps={{ isAnimationActive: false }}
    />
  );
}
