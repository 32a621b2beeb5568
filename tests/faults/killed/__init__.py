"""Tests in which processes are killed or stopped and the work goes on."""
